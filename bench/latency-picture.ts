// How latency grows with the load, as a picture: a panel for each database, p50 and p99 over calls a second.
import { type LatencyPoint, REQUESTS_OF_A_CALL } from './latency.ts'
import type { DatabaseKind } from './route.ts'

/** Pixels of one panel's area, and what is around it. */
const WIDTH = 360
const HEIGHT = 240
const LEFT = 56
const TOP = 44
const GAP = 72
const BOTTOM = 52
/** The scale of milliseconds is logarithmic: from one to ten seconds. */
const MS_MIN = 1
const MS_MAX = 10_000
const DECADES = Math.log10(MS_MAX / MS_MIN)
const TICKS = 5

const LINES = [
  { name: 'p99', color: '#c2410c', of: (point: LatencyPoint) => point.p99Ms },
  { name: 'p50', color: '#1d4ed8', of: (point: LatencyPoint) => point.p50Ms },
] as const

interface Measured {
  kind: DatabaseKind
  latency: readonly LatencyPoint[]
}

/** An SVG that stands alone, on light and on dark pages. */
export function drawLatency(reports: readonly Measured[]): string {
  const panels = reports.filter(({ latency }) => latency.length > 0)
  const width = LEFT + panels.length * (WIDTH + GAP)
  const height = TOP + HEIGHT + BOTTOM
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"
  font-family="system-ui, sans-serif" font-size="12" fill="#334155">
<title>p50 and p99 of the answers against calls a second, ${REQUESTS_OF_A_CALL.length} requests each</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${panels.map((panel, at) => `<g transform="translate(${LEFT + at * (WIDTH + GAP)} ${TOP})">\n${drawPanel(panel)}\n</g>`).join('\n')}
</svg>
`
}

function drawPanel({ kind, latency }: Measured): string {
  const callsMax = Math.max(...latency.map(({ callsPerSecond }) => callsPerSecond))
  const x = (calls: number): string => ((calls / callsMax) * WIDTH).toFixed(1)
  return [
    `<text y="-20" font-size="14" font-weight="600">${kind}</text>`,
    ...Array.from({ length: DECADES + 1 }, (_, decade) => drawDecade(MS_MIN * 10 ** decade)),
    ...Array.from({ length: TICKS + 1 }, (_, tick) => {
      const calls = (callsMax * tick) / TICKS
      return `<text x="${x(calls)}" y="${HEIGHT + 18}" text-anchor="middle">${calls.toFixed(callsMax < TICKS * 2 ? 1 : 0)}</text>`
    }),
    `<text x="${WIDTH / 2}" y="${HEIGHT + 40}" text-anchor="middle">calls a second</text>`,
    ...LINES.flatMap(({ name, color, of }) => {
      const places = latency.map((point) => `${x(point.callsPerSecond)},${yOf(of(point))}`)
      const dots = places.map((place) => {
        const [left, top] = place.split(',')
        return `<circle cx="${left}" cy="${top}" r="3" fill="${color}"/>`
      })
      const [, labelTop = '0'] = places.at(-1)?.split(',') ?? []
      return [
        `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
        ...dots,
        `<text x="${WIDTH + 8}" y="${Number(labelTop) + 4}" fill="${color}" font-weight="600">${name}</text>`,
      ]
    }),
  ].join('\n')
}

function drawDecade(ms: number): string {
  const label = ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`
  return `<line x2="${WIDTH}" y1="${yOf(ms)}" y2="${yOf(ms)}" stroke="#cbd5e1"/><text x="-8" y="${Number(yOf(ms)) + 4}" text-anchor="end">${label}</text>`
}

function yOf(ms: number): string {
  const within = Math.min(Math.max(ms, MS_MIN), MS_MAX)
  return (HEIGHT - (Math.log10(within / MS_MIN) / DECADES) * HEIGHT).toFixed(1)
}
