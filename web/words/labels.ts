type Words = Readonly<Record<string, string>>

let fields: Words = {}

/** From now on labels are in these words. */
export function wordLabels(words: Words): void {
  fields = words
}

/**
 * A label of the service in the reader's language: by its place, such as `helpdesk.ticket.name`, where that has a word of
 * its own, else by the English, which is also what is shown where neither is known.
 */
export function labelOf(english: string, place = ''): string {
  return own(place) ?? own(english) ?? english
}

function own(key: string): string | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
