import path from 'node:path'
import { findFloor } from './floors.ts'
import type { Sources } from './source-files.ts'

const WRITE = /\b(?:insert\s+into|update|delete\s+from|truncate)\s+"?$/i
const READ = /\b(?:from|join|using)\s+"?$/i
/** A table's name by itself may be handed to the code that writes; these are columns and channels of the same name. */
const NAME = /(?<!\b(?:param|notify|listen)\()'$/
/** Knows no tables; what it names so are the channels of its notifications. */
const CHANNELS = /^src\/database\//
/** A line that says what something listens to. */
const LISTENS = /^ *readonly channels = \[.*$/gm

/** Who can be reached: the directory is how rooms below or beside ask for that, and the only one that looks up. */
const DIRECTORY = {
  room: 'src/directory/',
  reads: [
    ...['phone-users', 'extensions', 'numbers', 'callflows', 'caller-ids', 'whatsapp'].map(
      (room) => `src/telco/${room}/`,
    ),
    ...['agents', 'speech'].map((room) => `src/voiceai/${room}/`),
  ],
}

/** Written by triggers of other tables alone: the file that reads it. */
const WITHOUT_MODEL = { connect_dial_plan: 'src/telco/routing/load-dial-plan.ts' }

/** The file that owns each table: the one that declares its model, or the relation whose pairs it holds. */
export function findOwners(sources: Sources): Map<string, string> {
  const found = new Map<string, string>(Object.entries(WITHOUT_MODEL))
  for (const [file, text] of sources) {
    if (!text.includes('defineModel({')) continue
    const models = [...text.matchAll(/defineModel\(\{\s*name: '([\w.]+)'/g)].map(([, name]) =>
      name?.replaceAll('.', '_'),
    )
    const pairs = [...text.matchAll(/'(\w+_rel)'/g)].map(([, name]) => name)
    for (const table of [...models, ...pairs]) if (table) found.set(table, file)
  }
  return found
}

/** Every write outside the owning room, and every read from a lower floor or a sibling area, as `file writes table`. */
export function findTrespasses(sources: Sources, tables: ReadonlyMap<string, string>): string[] {
  const name = new RegExp(`(?<![\\w.])(?:${[...tables.keys()].join('|')})(?!\\w)`, 'g')
  const found = [...sources].flatMap(([file, text]) => {
    const spoken = text
      .replace(LISTENS, '')
      .replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
      .replace(/\s\/\/ .*$/gm, '')
    return [...spoken.matchAll(name)].flatMap(({ 0: table, index }) => {
      // A field of the file's own model, which has the name of a table.
      if (spoken.includes(`\n    ${table}: `)) return []
      const use = useOf(file, spoken.slice(Math.max(0, index - 40), index), spoken.slice(index + table.length))
      const owner = tables.get(table) ?? ''
      const isAllowed = use === 'writes' ? isInRoom(file, owner) : use === undefined || mayRead(file, owner)
      return isAllowed ? [] : [`${file} ${use} ${table}`]
    })
  })
  return [...new Set(found)]
}

function useOf(file: string, before: string, after: string): 'writes' | 'reads' | undefined {
  const isNamed = NAME.test(before) && after.startsWith("'") && !CHANNELS.test(file)
  if (isNamed || WRITE.test(before)) return 'writes'
  return READ.test(before) || (/,\s*$/.test(before) && /^ \w/.test(after)) ? 'reads' : undefined
}

/** A room is the folder two levels down; what an area declares on its top belongs to all of the area. */
function isInRoom(file: string, owner: string): boolean {
  const room = path.posix.dirname(owner).split('/').slice(0, 3).join('/')
  return file.startsWith(`${room}/`)
}

function mayRead(file: string, owner: string): boolean {
  if (file.startsWith(DIRECTORY.room) && DIRECTORY.reads.some((room) => owner.startsWith(room))) return true
  const [reader, owning] = [findFloor(file), findFloor(owner)]
  if (!reader || !owning) return false
  return reader.floor > owning.floor || reader.area === owning.area
}
