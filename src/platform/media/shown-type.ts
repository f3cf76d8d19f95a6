export const BYTES = 'application/octet-stream'
/** What a browser may show on our address; anything else, and what may hold a script, is only ever downloaded. */
export const SHOWN_TYPE: RegExp = /^(?:image\/(?:png|jpe?g|gif|webp)|(?:audio|video)\/[\w.+-]{1,40}|application\/pdf)$/
/** What such a file may do if a browser takes it for a page all the same: nothing. */
export const FILE_POLICY = "default-src 'none'; sandbox"

/** The endings of the types that are served. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/jpg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'audio/mpeg': '.mp3',
  'audio/mp3': '.mp3',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'audio/wave': '.wav',
  'audio/ogg': '.ogg',
  'audio/mp4': '.m4a',
  'audio/aac': '.aac',
  'audio/amr': '.amr',
  'audio/webm': '.weba',
  'audio/3gpp': '.3gp',
  'video/mp4': '.mp4',
  'video/3gpp': '.3gp',
  'video/webm': '.webm',
  'video/quicktime': '.mov',
  'application/pdf': '.pdf',
  'text/plain': '.txt',
  'text/csv': '.csv',
  'text/vcard': '.vcf',
  'text/x-vcard': '.vcf',
  'application/msword': '.doc',
  'application/vnd.ms-excel': '.xls',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
}

/** The ending of a file of that type; none for a type that a computer could run or a browser obey. */
export function endingOf(type: string | undefined): string {
  return ENDINGS[bareType(type)] ?? ''
}

function bareType(type: string | undefined): string {
  return (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** A type as it is told a browser; one that it is not to show is only bytes to it. */
export function shownType(type: string | undefined, shown: RegExp): string {
  const bare = bareType(type)
  return shown.test(bare) ? bare : BYTES
}
