/** As the classic API and every webhook write a time: `Wed, 08 Oct 2025 13:54:12 +0000`. */
export function rfc2822(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}

/** As the product APIs write a time: whole seconds, UTC. */
export function iso8601(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
