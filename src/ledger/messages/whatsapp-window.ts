const MS_PER_HOUR = 3_600_000
/** How long after somebody's last message they may be written to freely; WhatsApp's own rule. */
const WINDOW_HOURS = 24

/** Whether free text may be sent on WhatsApp; outside the window the provider takes approved templates only. */
export function isWindowOpen(lastIncoming: Date | undefined, now: Date): boolean {
  return lastIncoming !== undefined && now.getTime() - lastIncoming.getTime() < WINDOW_HOURS * MS_PER_HOUR
}
