import { InvalidArgumentError, Option } from 'commander'

const DIGITS_MAX = 15
const LISTED_DEFAULT = 20

/** An id or a number of rows as it is typed. */
export function parseWhole(text: string): number {
  if (/^[1-9]\d*$/.test(text) && text.length <= DIGITS_MAX) return Number(text)
  throw new InvalidArgumentError('It should be a whole number from 1.')
}

/** How many rows a list shows. */
export const LIMIT = new Option('-n, --limit <count>', 'how many').argParser(parseWhole).default(LISTED_DEFAULT)
