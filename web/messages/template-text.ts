/** Places of a template that are filled in, such as `{{1}}`; pure. */
const PLACEHOLDER = /\{\{\s*([\w.-]{1,64})\s*\}\}/g

export function placeholdersOf(body: string): string[] {
  return [...new Set([...body.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/** What will be sent; a place that is still empty stays as it is written. */
export function filled(body: string, values: Readonly<Record<string, string>>): string {
  return body.replaceAll(PLACEHOLDER, (whole, name: string) => values[name] || whole)
}
