//! Sources of the viewer -> what a page carries of them: no comment lines, no indents, no spaces and line ends that mean
//! nothing.

/// A template. Nothing in it is shown as it is laid out.
pub(super) fn template(source: &str) -> String {
    source.lines().map(str::trim).collect::<Vec<_>>().join("\n") + "\n"
}

/// A style sheet. Comments stand in lines of their own.
pub(super) fn style(source: &str) -> String {
    let lines = source.lines().map(str::trim).filter(|line| !line.starts_with("/*"));
    let mut out: String = lines.collect();
    for (long, short) in
        [(" { ", "{"), (" {", "{"), ("; }", "}"), (" }", "}"), ("; ", ";"), (": ", ":"), (", ", ","), (";}", "}")]
    {
        out = out.replace(long, short);
    }
    out
}

/// A script without regular expressions, and with comments in lines of their own.
pub(super) fn script(source: &str) -> String {
    let is_code = |line: &&str| !line.is_empty() && !["//", "/**", "*"].iter().any(|start| line.starts_with(start));
    let lines: Vec<&str> = source.lines().map(str::trim).filter(is_code).collect();
    let mut out = String::new();
    // What is open: a brace, or one of the quotation marks, in which every space counts.
    let mut open: Vec<char> = Vec::new();
    let mut characters = lines.join("\n").chars().collect::<Vec<_>>().into_iter().peekable();
    while let Some(c) = characters.next() {
        let within = open.last().copied().unwrap_or('{');
        match c {
            '\\' if within != '{' => {
                out.push(c);
                out.extend(characters.next());
                continue;
            }
            ' ' if within == '{' && !is_needed(out.chars().next_back(), characters.peek().copied()) => continue,
            '\n' if within == '{' && !ends(out.chars().next_back(), characters.peek().copied()) => continue,
            '\'' | '`' if within == '{' => open.push(c),
            '\'' | '`' if within == c => _ = open.pop(),
            '{' if within == '{' || (within == '`' && out.ends_with('$')) => open.push('{'),
            '}' if within == '{' => {
                open.pop();
                // A block ends its last statement.
                out.truncate(out.trim_end_matches(';').len());
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// Whether a space keeps two words, or two signs, apart.
fn is_needed(before: Option<char>, after: Option<char>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    match (before, after) {
        (Some(before), Some(after)) => is_word(before) && is_word(after) || before == after && "+-".contains(before),
        _ => false,
    }
}

/// Whether the end of a line may end a statement.
fn ends(before: Option<char>, after: Option<char>) -> bool {
    !before.is_some_and(|before| "{([,;".contains(before)) && !after.is_some_and(|after| "})]".contains(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_spaces_without_meaning_go() {
        let long = "// Says it.\nconst a = `x: ${f('b, c', { d: 1 }) ? `y ${e} z` : ''} w`;\n  if (f) {\n    g();\n  }\n  return a - -b + ' \\' ' ;\n";
        let short = "const a=`x: ${f('b, c',{d:1})?`y ${e} z`:''} w`;if(f){g()}\nreturn a- -b+' \\' ';";
        assert_eq!(script(long), short);
        let sheet = "/* Says it. */\n.a b:hover, .c { color: #fff; margin: 0 -1px }\n@media (width > 1px) {\n  d { e: f(1, 2); }\n}\n";
        assert_eq!(style(sheet), ".a b:hover,.c{color:#fff;margin:0 -1px}@media (width > 1px){d{e:f(1,2)}}");
    }
}
