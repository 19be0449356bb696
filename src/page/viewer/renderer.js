// WebGL 2: flat faces in soft light with a shadow, the floor's shadow on whatever is behind the canvas, and see-through
// pieces on top. Normals are those of the triangles, so a mesh is vertices and corners alone.

const SHADOW_SIZE = 2048;
// From the left of whoever looks from the home corner.
const TO_LIGHT = unit([[-0.28, -0.7], [0.7, -0.28], [0.28, 0.7], [-0.7, 0.28]][puzzle.corner].concat(1.35));

const COMMON = `#version 300 es
precision highp float; precision highp sampler2DShadow;
uniform mat4 light; uniform sampler2DShadow shadow;
const float TEXEL = 1.0 / ${SHADOW_SIZE}.0;
// The share of the light that comes through, over a disc of sunflower seeds.
float lit(vec3 at, float radius, int count) {
  vec3 p = (light * vec4(at, 1.0)).xyz * 0.5 + 0.5;
  float sum = 0.0;
  for (int k = 0; k < count; k++) {
    float r = sqrt((float(k) + 0.5) / float(count)) * radius * TEXEL, a = float(k) * 2.39996;
    sum += texture(shadow, vec3(p.xy + r * vec2(cos(a), sin(a)), p.z));
  }
  return sum / float(count);
}`;

const PIECE_VERTEX = `#version 300 es
in vec3 position;
uniform mat4 view; uniform mat3 turn; uniform vec3 shift;
out vec3 world; out vec3 local;
void main() { local = position; world = turn * position + shift; gl_Position = view * vec4(world, 1.0); }`;

const PIECE_FRAGMENT = `${COMMON}
in vec3 world; in vec3 local;
uniform vec3 eye, toLight, colour, accent; uniform float ghost, alpha, glow, aside, half_cell;
uniform vec3 square, out_of_square; uniform bool marked;
out vec4 pixel;
void main() {
  vec3 n = normalize(cross(dFdx(world), dFdy(world))), v = normalize(eye - world);
  float facing = max(dot(n, v), 0.0), rim = pow(1.0 - facing, 3.0);
  vec3 albedo = colour;
  // The chosen square: a tint with a frame.
  vec3 d = local - square;
  float off = dot(d, out_of_square);
  vec3 flat_d = abs(d - off * out_of_square);
  float edge = max(flat_d.x, max(flat_d.y, flat_d.z)) / half_cell;
  if (marked && abs(off) < half_cell * 0.2 && edge < 1.0) albedo = mix(albedo, accent, edge > 0.8 ? 0.95 : 0.3);
  // What is not chosen steps back.
  albedo = mix(albedo, vec3(dot(albedo, vec3(0.3, 0.6, 0.1)) * 0.5 + 0.12), aside);
  if (ghost > 0.5) {
    float a = (0.07 + 0.4 * rim) * alpha;
    vec3 c = pow(mix(albedo, vec3(1.0), 0.2), vec3(1.0 / 2.2));
    pixel = vec4(c * a, a);
    return;
  }
  float nl = max(dot(n, toLight), 0.0);
  float through = nl > 0.0 ? lit(world + n * half_cell * 0.03, 2.5, 12) : 0.0;
  float sky = mix(0.26, 0.46, n.z * 0.5 + 0.5);
  vec3 c = albedo * (sky + 0.6 * nl * through + 0.24 * facing);
  float shine = pow(max(dot(n, normalize(toLight + v)), 0.0), 48.0);
  c += 0.07 * shine * through + 0.03 * rim + glow * accent * (0.1 + 0.5 * rim);
  pixel = vec4(pow(c, vec3(1.0 / 2.2)), 1.0) * alpha;
}`;

const FLOOR_VERTEX = `#version 300 es
in vec3 position;
uniform mat4 view; uniform vec3 shift; uniform float size;
out vec3 world; out vec2 from_middle;
void main() { from_middle = position.xy; world = vec3(position.xy * size, 0.0) + shift; gl_Position = view * vec4(world, 1.0); }`;

const FLOOR_FRAGMENT = `${COMMON}
in vec3 world; in vec2 from_middle;
uniform float strength;
out vec4 pixel;
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(from_middle));
  if (fade <= 0.0) discard;
  pixel = vec4(0.0, 0.0, 0.0, (1.0 - lit(world, 14.0, 40)) * strength * fade);
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 ink;
out vec4 pixel;
void main() { pixel = ink; }`;

const DEPTH_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

function createRenderer(canvas, meshes) {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
  if (!gl) return null;
  const piece = link(gl, PIECE_VERTEX, PIECE_FRAGMENT), floor = link(gl, FLOOR_VERTEX, FLOOR_FRAGMENT);
  const depth = link(gl, PIECE_VERTEX, DEPTH_FRAGMENT), line = link(gl, PIECE_VERTEX, LINE_FRAGMENT);
  const buffers = meshes.map((mesh) => upload(gl, mesh.vertices, mesh.corners));
  const plane = upload(gl, new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), new Uint16Array([0, 1, 2, 0, 2, 3]));
  const box = upload(gl, boxCorners(), new Uint16Array([0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7]));
  const shadow = createShadow(gl);

  const drawPiece = (program, { mesh, rotation, shift }, each) => {
    const [a, b, c, d, e, f, g, h, i] = rotation;
    gl.uniformMatrix3fv(program.turn, false, [a, d, g, b, e, h, c, f, i]);
    gl.uniform3fv(program.shift, shift);
    gl.bindVertexArray(buffers[mesh].array);
    each(meshes[mesh], buffers[mesh]);
  };

  /** Draws the items `{mesh, rotation, shift, ghost, alpha, glow, aside, square}`; `theme` has colours as shares of light. */
  function draw(items, scene, theme, shadowIsOld) {
    const lightView = viewFrom(add(scene.middle, scale(TO_LIGHT, 3 * scene.radius)), TO_LIGHT, unit(cross(TO_LIGHT, [1, 0, 0])));
    const light = multiply(orthographic(1.1 * scene.radius, 0.5 * scene.radius, 6 * scene.radius), lightView);
    if (shadowIsOld) {
      shadow.begin();
      gl.useProgram(depth.program);
      gl.uniformMatrix4fv(depth.view, false, light);
      for (const item of items) {
        if (item.ghost || item.alpha < 0.5) continue;
        drawPiece(depth, item, (mesh, { type }) => gl.drawElements(gl.TRIANGLES, mesh.corners.length, type, 0));
      }
      shadow.end();
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const view = camera.matrix();

    const begin = (program) => {
      gl.useProgram(program.program);
      gl.uniformMatrix4fv(program.view, false, view);
      gl.uniformMatrix4fv(program.light, false, light);
      gl.uniform1i(program.shadow, 0);
    };
    gl.depthMask(false);
    begin(floor);
    gl.uniform3fv(floor.shift, [scene.middle[0], scene.middle[1], scene.floor]);
    gl.uniform1f(floor.size, 3.2 * scene.radius);
    gl.uniform1f(floor.strength, theme.shadow);
    gl.bindVertexArray(plane.array);
    gl.drawElements(gl.TRIANGLES, 6, plane.type, 0);
    if (scene.frame) {
      gl.useProgram(line.program);
      gl.uniformMatrix4fv(line.view, false, view);
      const [x, y, z] = scene.frame.size;
      gl.uniformMatrix3fv(line.turn, false, [x, 0, 0, 0, y, 0, 0, 0, z]);
      gl.uniform3fv(line.shift, scene.frame.corner);
      gl.uniform4fv(line.ink, theme.frame);
      gl.bindVertexArray(box.array);
      gl.drawElements(gl.LINES, 24, box.type, 0);
    }

    begin(piece);
    gl.uniform3fv(piece.eye, camera.eye());
    gl.uniform3fv(piece.toLight, TO_LIGHT);
    gl.uniform3fv(piece.accent, theme.accent);
    gl.uniform1f(piece.half_cell, puzzle.pitch / 2);
    for (const ghost of [false, true]) {
      gl.depthMask(!ghost);
      for (const item of items.filter((other) => other.ghost === ghost)) {
        gl.uniform1f(piece.ghost, ghost ? 1 : 0);
        gl.uniform1f(piece.alpha, item.alpha);
        gl.uniform1f(piece.glow, item.glow);
        gl.uniform1f(piece.aside, item.aside);
        gl.uniform1i(piece.marked, item.square ? 1 : 0);
        if (item.square) {
          gl.uniform3fv(piece.square, item.square.at);
          gl.uniform3fv(piece.out_of_square, item.square.out);
        }
        drawPiece(piece, item, (mesh, { type }) => {
          for (const part of mesh.parts) {
            gl.uniform3fv(piece.colour, part.colour);
            gl.drawElements(gl.TRIANGLES, part.count, type, part.first);
          }
        });
      }
    }
    gl.depthMask(true);
  }
  return { draw, gl };
}

/** The corners of the unit cube, counting in twos. */
function boxCorners() {
  return new Float32Array([0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1, k >> 1 & 1, k >> 2]));
}

/** A program with its uniforms by name. */
function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'position');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
  const out = { program };
  for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
    const { name } = gl.getActiveUniform(program, k);
    out[name] = gl.getUniformLocation(program, name);
  }
  return out;
}

function upload(gl, vertices, corners) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  return { array, type: corners.BYTES_PER_ELEMENT === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT };
}

/** Distances from the light, in a texture that compares. */
function createShadow(gl) {
  const texture = gl.createTexture(), buffer = gl.createFramebuffer();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
  for (const [name, value] of [
    [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
  ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
  gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return {
    begin() {
      // A texture must not be read while it is drawn on.
      gl.bindTexture(gl.TEXTURE_2D, null);
      gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
      gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
      gl.enable(gl.DEPTH_TEST);
      gl.depthMask(true);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1.5, 2);
    },
    end() {
      gl.disable(gl.POLYGON_OFFSET_FILL);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    },
  };
}
