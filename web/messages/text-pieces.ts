/** Finds links to the web in what somebody wrote; pure. Everything else, other schemes too, stays text. */
export interface WebLink {
  href: string
  /** In its ASCII form, which cannot look like another one. */
  host: string
  rest: string
}

const WEB = /\bhttps?:\/\/[^\s<>"'`]+/gi
/** Belongs to the sentence around the link, not to it. */
const TAIL = /[.,;:!?)\]}]+$/

export function textPieces(text: string): (string | WebLink)[] {
  const pieces: (string | WebLink)[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(WEB)) {
    const written = found.replace(TAIL, '')
    const link = webLink(written)
    if (link === undefined) continue
    if (index > end) pieces.push(text.slice(end, index))
    pieces.push(link)
    end = index + written.length
  }
  if (end < text.length) pieces.push(text.slice(end))
  return pieces
}

/** Undefined for what is no address, and for one that hides its host behind a name and a password. */
export function webLink(written: string): WebLink | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  const rest = url.pathname === '/' && url.search === '' && url.hash === '' ? '' : url.pathname + url.search + url.hash
  return { href: url.href, host: url.host, rest }
}
