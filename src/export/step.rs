//! Scene -> STEP (ISO 10303-21 text, schema AP214), in millimetres: what CAD programs open.
//!
//! A part is written once as an exact solid, with its name, the colour of its body, the ink on its digits, and the colours
//! of faces that have their own. A scene of
//! one part where it was built is that product; any other scene is an assembly whose components are the instances.

mod part21;
mod shape;

use crate::puzzle::colour::Colour;
use crate::solid::Role;
use crate::solid::scene::{Part, Scene, Transform};
use crate::solid::shell::boundary;

use part21::{Id, List, Part21, Real, Text};
use shape::Shapes;

/// The bytes of a STEP file. Parts that no instance places are left out.
pub fn write(scene: &Scene<'_>) -> Vec<u8> {
    let mut document = Document::new(&scene.name);
    let mut products: Vec<Option<Product>> = scene.parts.iter().map(|_| None).collect();
    for instance in &scene.instances {
        products[instance.part].get_or_insert_with(|| document.part(&scene.parts[instance.part]));
    }
    let is_part = matches!(scene.instances.as_slice(), [only] if only.transform == Transform::default());
    if !is_part {
        let places: Vec<Id> = scene.instances.iter().map(|i| document.placement(&i.transform)).collect();
        let assembly = document.assembly(&scene.name, &places);
        for (number, (instance, &place)) in scene.instances.iter().zip(&places).enumerate() {
            let product = products[instance.part].expect("every part that an instance places was written");
            document.component(number + 1, &instance.name, product, assembly, place);
        }
    }
    document.finish()
}

/// A product and the representation of its shape.
#[derive(Clone, Copy)]
struct Product {
    definition: Id,
    shape: Id,
}

/// A file in the making, with the entities that all products share.
struct Document {
    file: Part21,
    shapes: Shapes,
    product_context: Id,
    definition_context: Id,
    units: Id,
    origin: Id,
    styles: Vec<(Colour, Id)>,
    styled: Vec<Id>,
}

impl Document {
    fn new(name: &str) -> Document {
        let mut file = Part21::automotive_design(name);
        let mut shapes = Shapes::default();
        let application =
            file.add(format_args!("APPLICATION_CONTEXT('core data for automotive mechanical design processes')"));
        file.add(format_args!(
            "APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,{application})"
        ));
        let product_context = file.add(format_args!("PRODUCT_CONTEXT('',{application},'mechanical')"));
        let definition_context =
            file.add(format_args!("PRODUCT_DEFINITION_CONTEXT('part definition',{application},'design')"));
        let length = file.add(format_args!("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))"));
        let angle = file.add(format_args!("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))"));
        let solid_angle = file.add(format_args!("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())"));
        let uncertainty = file.add(format_args!(
            "UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE({UNCERTAINTY}),{length},'distance_accuracy_value','')",
            UNCERTAINTY = Real(UNCERTAINTY),
        ));
        let units = file.add(format_args!(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({uncertainty}))\
             GLOBAL_UNIT_ASSIGNED_CONTEXT(({length},{angle},{solid_angle}))REPRESENTATION_CONTEXT('',''))"
        ));
        let origin = shapes.axes(&mut file, [0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
        Document {
            file,
            shapes,
            product_context,
            definition_context,
            units,
            origin,
            styles: Vec::new(),
            styled: Vec::new(),
        }
    }

    fn part(&mut self, part: &Part<'_>) -> Product {
        let boundary = boundary(&part.model.solid).expect("a model was read back when it was built");
        let solid = self.shapes.solid(&mut self.file, &part.name, &boundary);
        let body = self.style(part.colour);
        let styled = self.file.add(format_args!("STYLED_ITEM('',({body}),{})", solid.id));
        self.styled.push(styled);
        let has_own_colour = |role: Role| matches!(role, Role::Digit | Role::Painted(_) | Role::Inked(_));
        for (face, role) in solid.faces.iter().zip(&part.model.roles).filter(|(_, role)| has_own_colour(**role)) {
            let own = self.style(part.colour_of(*role));
            self.styled.push(self.file.add(format_args!("OVER_RIDING_STYLED_ITEM('',({own}),{face},{styled})")));
        }
        let (origin, units) = (self.origin, self.units);
        let shape =
            self.file.add(format_args!("ADVANCED_BREP_SHAPE_REPRESENTATION('',({origin},{}),{units})", solid.id));
        self.product(&part.name, "part", shape)
    }

    /// An assembly with no components yet; its shape holds the axes that they will stand on.
    fn assembly(&mut self, name: &str, places: &[Id]) -> Product {
        let axes: Vec<Id> = std::iter::once(self.origin).chain(places.iter().copied()).collect();
        let shape = self.file.add(format_args!("SHAPE_REPRESENTATION('',{},{})", List(&axes), self.units));
        self.product(name, "assembly", shape)
    }

    fn product(&mut self, name: &str, category: &str, shape: Id) -> Product {
        let (file, name) = (&mut self.file, Text(name));
        let product = file.add(format_args!("PRODUCT({name},{name},'',({}))", self.product_context));
        file.add(format_args!("PRODUCT_RELATED_PRODUCT_CATEGORY('{category}','',({product}))"));
        let version = file.add(format_args!("PRODUCT_DEFINITION_FORMATION('','',{product})"));
        let definition =
            file.add(format_args!("PRODUCT_DEFINITION('design','',{version},{})", self.definition_context));
        let shape_of = file.add(format_args!("PRODUCT_DEFINITION_SHAPE('','',{definition})"));
        file.add(format_args!("SHAPE_DEFINITION_REPRESENTATION({shape_of},{shape})"));
        Product { definition, shape }
    }

    fn component(&mut self, number: usize, name: &str, part: Product, assembly: Product, place: Id) {
        let file = &mut self.file;
        let usage = file.add(format_args!(
            "NEXT_ASSEMBLY_USAGE_OCCURRENCE('{number}',{},'',{},{},$)",
            Text(name),
            assembly.definition,
            part.definition
        ));
        let shape_of = file.add(format_args!("PRODUCT_DEFINITION_SHAPE('','',{usage})"));
        let moved = file.add(format_args!("ITEM_DEFINED_TRANSFORMATION('','',{},{place})", self.origin));
        let relation = file.add(format_args!(
            "(REPRESENTATION_RELATIONSHIP('','',{},{})REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION({moved})\
             SHAPE_REPRESENTATION_RELATIONSHIP())",
            part.shape, assembly.shape
        ));
        file.add(format_args!("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION({relation},{shape_of})"));
    }

    /// The axes onto which the origin of an instance is moved: the images of z and x are columns of the matrix.
    fn placement(&mut self, transform: &Transform) -> Id {
        let column = |k: usize| transform.rotation.matrix().map(|row| f64::from(row[k]));
        self.shapes.axes(&mut self.file, transform.translation, column(2), column(0))
    }

    fn style(&mut self, colour: Colour) -> Id {
        if let Some(&(_, style)) = self.styles.iter().find(|(known, _)| *known == colour) {
            return style;
        }
        let file = &mut self.file;
        let [red, green, blue] = [colour.red, colour.green, colour.blue].map(|c| Real(f64::from(c) / 255.0));
        let rgb = file.add(format_args!("COLOUR_RGB('',{red},{green},{blue})"));
        let fill_colour = file.add(format_args!("FILL_AREA_STYLE_COLOUR('',{rgb})"));
        let fill = file.add(format_args!("FILL_AREA_STYLE('',({fill_colour}))"));
        let area = file.add(format_args!("SURFACE_STYLE_FILL_AREA({fill})"));
        let side = file.add(format_args!("SURFACE_SIDE_STYLE('',({area}))"));
        let usage = file.add(format_args!("SURFACE_STYLE_USAGE(.BOTH.,{side})"));
        let style = file.add(format_args!("PRESENTATION_STYLE_ASSIGNMENT(({usage}))"));
        self.styles.push((colour, style));
        style
    }

    fn finish(mut self) -> Vec<u8> {
        self.file.add(format_args!(
            "MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',{},{})",
            List(&self.styled),
            self.units
        ));
        self.file.finish()
    }
}

/// Millimetres: points nearer than this are the same to the reader. Curves and vertices agree far better.
const UNCERTAINTY: f64 = 1e-6;
