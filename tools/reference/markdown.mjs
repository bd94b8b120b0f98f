// Reads the tables, headings and code spans of a Markdown page.

/** The cells of a table row; a pipe inside a cell is escaped. */
const cellsOf = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** Headings, tables (`head` and `rows`) and other lines of a page, in order, each with its section. */
export function blocksOf(text) {
  const blocks = [];
  let section = '';
  let table = null;
  for (const line of text.split('\n')) {
    if (/^#+ /.test(line)) section = line.replace(/^#+ /, '');
    if (!line.startsWith('|')) table = null;
    if (/^\|[-| ]+\|$/.test(line)) continue;
    if (line.startsWith('|') && table) table.rows.push(cellsOf(line));
    else if (line.startsWith('|')) blocks.push((table = { section, head: cellsOf(line), rows: [] }));
    else if (line.trim() !== '') blocks.push({ section, text: line });
  }
  return blocks;
}

/** The code spans of a text with what stands before each. */
export function spansOf(text) {
  const spans = [];
  let before = 0;
  for (const match of text.matchAll(/`([^`]+)`/g)) {
    spans.push({ code: match[1], before: text.slice(before, match.index) });
    before = match.index + match[0].length;
  }
  return spans;
}
