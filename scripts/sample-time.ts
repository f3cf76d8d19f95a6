const SECONDS_OF = /("(?:event_timestamp|start_time_unix_secs|accepted_time_unix_secs)": )(\d+)/g
/** What the tool of the sample answered (docs/webhooks.md#tools), within a text of its own. */
const CURRENT_DATE = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}/g
const MS_PER_SECOND = 1_000

/** A sample as it would be had its event just happened: every time of it moves by the same. */
export function sampleUntil(text: string, now: Date): string {
  const [, , eventAt] = /("event_timestamp": )(\d+)/.exec(text) ?? []
  const later = Math.floor(now.getTime() / MS_PER_SECOND) - Number(eventAt ?? 0)
  return text
    .replace(SECONDS_OF, (_found, name: string, seconds: string) => `${name}${Number(seconds) + later}`)
    .replace(CURRENT_DATE, (date) => {
      const moved = new Date(Date.parse(`${date.replace(' ', 'T').slice(0, 23)}Z`) + later * MS_PER_SECOND)
      return `${moved.toISOString().replace('T', ' ').slice(0, 23)}000`
    })
}
