// The driver's own way of writing values, which its types leave out.
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): string | Buffer | null }
  export = utils
}
