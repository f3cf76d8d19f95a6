/** Texts that stand in one field, by a language, by a name or one after the other, as rows of a form; pure. */
export const TEXT_WIDGETS = ['texts_by_language', 'texts_by_name', 'texts'] as const
export type TextsWidget = (typeof TEXT_WIDGETS)[number]

export interface TextRow {
  /** The language or the name; empty where none is chosen yet, and in a list. */
  name: string
  text: string
}

export function isTexts(widget: string | undefined): widget is TextsWidget {
  return TEXT_WIDGETS.some((each) => each === widget)
}

export function rowsOfTexts(value: unknown): TextRow[] {
  if (Array.isArray(value)) return value.map((text) => ({ name: '', text: String(text) }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, text]) => ({ name, text: String(text) }))
}

/** What is saved of the rows: nothing of those that are not filled in yet, and nothing at all where none is. */
export function textsOfRows(widget: TextsWidget, rows: readonly TextRow[]): unknown {
  const written = rows.filter(({ name, text }) => text !== '' && (widget === 'texts' || name !== ''))
  if (written.length === 0) return null
  return widget === 'texts'
    ? written.map(({ text }) => text)
    : Object.fromEntries(written.map(({ name, text }) => [name, text]))
}

/** The rows as they were typed, as long as the value is what they say; else those of the value, which was set elsewhere. */
export function shownRows(widget: TextsWidget, typed: readonly TextRow[], value: unknown): readonly TextRow[] {
  const stored = rowsOfTexts(value)
  return canonical(textsOfRows(widget, typed)) === canonical(textsOfRows(widget, stored)) ? typed : stored
}

/** The service keeps names in an order of its own. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
