/** Part of a file: both ends are in it. */
interface ByteRange {
  start: number
  end: number
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The part that a Range header asks for. Undefined means all of it: no header, one that is not understood, or several
 * parts at once, which a server may ignore.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = ONE_RANGE.exec((header ?? '').replaceAll(' ', '')) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return start >= bytes || end < start ? 'unsatisfiable' : { start, end }
}
