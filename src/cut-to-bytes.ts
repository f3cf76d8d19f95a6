const END = '…'

/** The text, or as much of its beginning as these bytes hold, without a half of a character. */
export function cutToBytes(text: string, bytesMax: number): string {
  // No character has more than three bytes for each of its halves.
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax - Buffer.byteLength(END)))
  return text.slice(0, read) + END
}
