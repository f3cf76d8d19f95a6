/**
 * A character that a reader sees. Blanks, direction marks, zero-width characters, selectors of a variant, fillers and control
 * characters show nothing (unicode.org/reports/tr44, Default_Ignorable_Code_Point); U+2800 is a Braille cell without dots.
 */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a reader sees nothing of a text: it is empty, or has blanks and invisible characters only. */
export function isUnseen(text: string): boolean {
  return !SEEN.test(text)
}
