const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:.+\.)?localhost)\.?$/i

/** Whether a host, as an address writes it, is the computer that asks, whichever that is. */
export function isOwnComputer(host: string): boolean {
  return LOOPBACK.test(host)
}
