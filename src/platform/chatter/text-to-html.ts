const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand in HTML, in element content and in attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/** Plain text as HTML paragraphs: everything escaped, lines kept. */
export function textToHtml(text: string): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  return paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll(/\r?\n/g, '<br>')}</p>`).join('')
}
