/** Path of generated speech, open to everybody who knows it, so that the telephony provider can play it. */
export function speechPath({ id, filename }: { id: number | string; filename: string }): string {
  return `/web/content/connect.voiceai_file/${id}/file/${filename}`
}

/** The file that an address of generated speech names; undefined for other addresses. */
export function speechIdOf(address: string): string | undefined {
  return /\/web\/content\/connect\.voiceai_file\/(\d{1,18})\//.exec(address)?.[1]
}
