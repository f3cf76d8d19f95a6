/** Notes and summaries are stored as paragraphs, and written as lines. */

/** The lines of paragraphs; the document they are read in is not shown, and runs and loads nothing. */
export function textOf(html: string | null): string {
  if (html === null || html === '') return ''
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const end of body.querySelectorAll('br')) end.replaceWith('\n')
  const parts = [...body.childNodes].map((node) => node.textContent ?? '')
  return parts.join('\n').trim()
}

/** A paragraph for each line; whatever looks like markup in it is text. */
export function htmlOf(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
