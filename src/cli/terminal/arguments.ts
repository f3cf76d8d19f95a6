import { InvalidArgumentError } from 'commander'

const DIGITS_MAX = 15

/** An id or a number of rows as it is typed. */
export function parseWhole(text: string): number {
  if (/^[1-9]\d*$/.test(text) && text.length <= DIGITS_MAX) return Number(text)
  throw new InvalidArgumentError('It should be a whole number from 1.')
}
