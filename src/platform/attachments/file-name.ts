import { NAME_CHARS_MAX } from './attachment.ts'

const NAMELESS = 'file'
/** Control characters, those that turn the direction of writing around, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNWANTED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

/** A name as a sender gives it, without folders and without what would show it as another one; never empty. */
export function readFileName(given: string): string {
  const name = (given.split(/[\\/]/).at(-1) ?? '').replaceAll(UNWANTED, '').trim()
  if (/^\.*$/.test(name)) return NAMELESS
  const characters = [...name]
  if (characters.length <= NAME_CHARS_MAX) return name
  // The end says what a file is.
  const [, ending = ''] = /(\.\w{1,10})$/.exec(name) ?? []
  return characters.slice(0, NAME_CHARS_MAX - ending.length).join('') + ending
}
