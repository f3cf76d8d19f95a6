import { create as contentDisposition } from 'content-disposition'

export const BYTES = 'application/octet-stream'
/** What a browser may show on our address; anything else, and what may hold a script, is only ever downloaded. */
export const SHOWN_TYPE: RegExp = /^(?:image\/(?:png|jpe?g|gif|webp)|(?:audio|video)\/[\w.+-]{1,40}|application\/pdf)$/
/** What such a file may do if a browser takes it for a page all the same: nothing. */
export const FILE_POLICY = "default-src 'none'; sandbox"

/** The endings of the types that are served; the first is the one that a file gets, the others fit as well. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['.png', '.apng'],
  'image/jpeg': ['.jpg', '.jpeg', '.jpe', '.jfif'],
  'image/jpg': ['.jpg', '.jpeg'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
  'image/heic': ['.heic', '.heif'],
  'image/bmp': ['.bmp'],
  'image/tiff': ['.tif', '.tiff'],
  'audio/mpeg': ['.mp3', '.mpga', '.mp2'],
  'audio/mp3': ['.mp3'],
  'audio/wav': ['.wav'],
  'audio/x-wav': ['.wav'],
  'audio/wave': ['.wav'],
  'audio/vnd.wave': ['.wav'],
  'audio/ogg': ['.ogg', '.oga', '.opus'],
  'audio/opus': ['.opus', '.ogg'],
  'audio/mp4': ['.m4a', '.mp4', '.m4b'],
  'audio/x-m4a': ['.m4a', '.mp4'],
  'audio/aac': ['.aac'],
  'audio/amr': ['.amr'],
  'audio/flac': ['.flac'],
  'audio/x-flac': ['.flac'],
  'audio/webm': ['.weba', '.webm'],
  'audio/3gpp': ['.3gp'],
  'video/mp4': ['.mp4', '.m4v'],
  'video/3gpp': ['.3gp', '.3gpp'],
  'video/webm': ['.webm'],
  'video/ogg': ['.ogv', '.ogg'],
  'video/quicktime': ['.mov', '.qt'],
  'application/pdf': ['.pdf'],
  'application/zip': ['.zip'],
  'application/rtf': ['.rtf'],
  'text/plain': ['.txt'],
  'text/csv': ['.csv'],
  'text/calendar': ['.ics'],
  'text/vcard': ['.vcf'],
  'text/x-vcard': ['.vcf'],
  'application/msword': ['.doc'],
  'application/vnd.ms-excel': ['.xls'],
  'application/vnd.ms-powerpoint': ['.ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['.pptx'],
}
/** What people take for the ending of a name; digits alone are a number, as in "Offer 1.5". */
const ANY_ENDING = /\.(?=\d*[A-Za-z])[A-Za-z\d]{1,8}$/

/** The ending of a file of that type; none for a type that a computer could run or a browser obey. */
export function fileEndingOf(type: string | undefined): string {
  return ENDINGS[bareType(type)]?.[0] ?? ''
}

/**
 * The name of a download, with an ending that fits its type: what a browser shows has one of its type, whatever its sender called it;
 * what is only downloaded keeps an ending that it has.
 */
function downloadName(name: string, type: string | undefined): string {
  const fitting = ENDINGS[bareType(type)]
  const fits = fitting?.some((ending) => name.toLowerCase().endsWith(ending)) === true
  const keepsIts = !SHOWN_TYPE.test(bareType(type)) && ANY_ENDING.test(name)
  return fitting === undefined || fits || keepsIts ? name : `${name}${fitting[0]}`
}

/** The type that the ending of a name or address says; undefined where it says none that a browser is shown. */
export function typeOfEnding(name: string): string | undefined {
  const lower = name.toLowerCase()
  const types = Object.entries(ENDINGS)
  const [type] =
    types.find(([, [usual = '']]) => lower.endsWith(usual)) ??
    types.find(([, endings]) => endings.some((each) => lower.endsWith(each))) ??
    []
  return type
}

/** How a file is handed to a browser: shown in place or only saved, under its name (RFC 6266). */
export function dispositionOf(name: string, type: string | undefined, shown: RegExp): string {
  return contentDisposition(downloadName(name, type), {
    type: shownType(type, shown) === BYTES ? 'attachment' : 'inline',
  })
}

function bareType(type: string | undefined): string {
  return (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** A type as it is told a browser; one that it is not to show is only bytes to it. */
export function shownType(type: string | undefined, shown: RegExp): string {
  const bare = bareType(type)
  return shown.test(bare) ? bare : BYTES
}
