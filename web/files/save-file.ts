/** Hands a text to the browser as a file. */

/** Some file systems take no longer names, with an ending. */
const NAME_CHARS_MAX = 100
/** What is a folder or a device somewhere, and what is not seen. */
const NOT_IN_NAMES = /[\\/:*?"<>|]|\p{Cc}|\p{Cf}/gu

/** A file that is saved under a name that somebody chose, as far as file systems take it. */
export function saveFile({ name, ending, type, text }: Record<'name' | 'ending' | 'type' | 'text', string>): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  Object.assign(document.createElement('a'), { href: url, download: `${fileName(name)}.${ending}` }).click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}

function fileName(name: string): string {
  const plain = name.normalize('NFC').replaceAll(NOT_IN_NAMES, ' ').replaceAll(/\s+/g, ' ')
  return (
    [...plain]
      .slice(0, NAME_CHARS_MAX)
      .join('')
      .replace(/^[. ]+|[. ]+$/g, '') || '-'
  )
}
