/** The line that the service writes for a place somebody shared, with its degrees: "Location: Acme, Bahnhofstrasse 1 (47.37, 8.54)". */
const SHARED = /^Location: ((?:.* \()?(-?\d+(?:\.\d+)?), (-?\d+(?:\.\d+)?)\)?)$/s

/** The place alone; undefined for any other text. */
export function sharedPlace(text: string): string | undefined {
  return SHARED.exec(text)?.[1]
}
