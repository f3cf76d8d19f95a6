export const BYTES = 'application/octet-stream'
/** What a browser may show on our address; anything else, and what may hold a script, is only ever downloaded. */
export const SHOWN_TYPE: RegExp = /^(?:image\/(?:png|jpe?g|gif|webp)|(?:audio|video)\/[\w.+-]{1,40}|application\/pdf)$/
/** What such a file may do if a browser takes it for a page all the same: nothing. */
export const FILE_POLICY = "default-src 'none'; sandbox"

/** A type as it is told a browser; one that it is not to show is only bytes to it. */
export function shownType(type: string | undefined, shown: RegExp): string {
  const bare = (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return shown.test(bare) ? bare : BYTES
}
