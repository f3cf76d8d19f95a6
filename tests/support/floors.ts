import path from 'node:path'

/** The first entry that covers a file tells its floor and its area; an import, and a read of a table, may only go down. */
const FLOORS = [
  ['src/main.ts', 6.7],
  ['src/cli/', 6.5],
  ['src/app/', 6],
  ['src/voiceai/', 5],
  ['src/telco/', 5],
  ['src/helpdesk/tools/', 5],
  ['src/calendar/tools/', 5],
  ['src/area.ts', 4.5],
  ['src/directory/', 4],
  ['src/ledger/', 4],
  ['src/calendar/', 4],
  ['src/helpdesk/', 4],
  ['src/contacts/', 4],
  ['src/ports/', 4],
  ['src/deliveries/', 3],
  ['src/jobs/', 3],
  ['src/sync/', 3],
  ['src/platform/', 2],
  ['src/database/', 1],
] as const

/** The file in which an area declares what it has: it may import all of its own folder, and what an area is. */
const DECLARATION = /^src\/(\w+)\/\1-area\.ts$/

/** Whether a file may import another one because it declares the area. */
export function declaresArea(file: string, target: string): boolean {
  const area = DECLARATION.exec(file)?.[1]
  return area !== undefined && (target === 'src/area.ts' || target.startsWith(`src/${area}/`))
}

/** The floor and the area of a file of `src`; nothing for one whose area has no floor. */
export function findFloor(file: string): { floor: number; area: string } | undefined {
  const entry = FLOORS.find(([prefix]) => file === prefix || (prefix.endsWith('/') && file.startsWith(prefix)))
  if (entry) return { floor: entry[1], area: entry[0].replace(/\/$/, '') }
  return path.posix.dirname(file) === 'src' ? { floor: 0, area: 'src' } : undefined
}
