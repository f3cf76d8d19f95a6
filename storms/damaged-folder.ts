// The data folder of the embedded database is damaged between two starts: no start may make anew what is there.
import { cpSync, existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sendPostCalls } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, countConversations, type Tally, type Weather } from './storm.ts'

const DELIVERIES = 40
/** Starts that are tried side by side. */
const AT_ONCE = 3

const DAMAGES: readonly { what: string; damage(dataDir: string): void }[] = [
  { what: 'no PG_VERSION', damage: (dataDir) => rmSync(path.join(dataDir, 'database/PG_VERSION')) },
  { what: 'no database', damage: (dataDir) => rmSync(path.join(dataDir, 'database'), { recursive: true }) },
  { what: 'no key', damage: (dataDir) => rmSync(path.join(dataDir, 'secret.key')) },
  { what: 'an empty key', damage: (dataDir) => truncateSync(path.join(dataDir, 'secret.key')) },
  { what: 'no pg_control', damage: (dataDir) => rmSync(path.join(dataDir, 'database/global/pg_control')) },
  { what: 'no log', damage: (dataDir) => rmSync(path.join(dataDir, 'database/pg_wal'), { recursive: true }) },
  { what: 'an empty log', damage: emptyLog },
  { what: 'no tables', damage: (dataDir) => rmSync(path.join(dataDir, 'database/base'), { recursive: true }) },
  { what: 'half a restore', damage: (dataDir) => writeFileSync(path.join(dataDir, 'restore.unfinished'), '') },
]

/** Each damage on a copy: the start is refused in a sentence, and with the folder put right everything is there. */
export async function damagedFolder({ folder, afterwards }: Weather): Promise<Tally> {
  const whole = path.join(folder, 'whole')
  const service = await ServiceUnderStorm.start({ dataDir: whole })
  afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  const sent = await sendPostCalls({
    url: () => service.url,
    until: ({ acknowledged }) => acknowledged.length >= DELIVERIES,
  })
  await service.stop('SIGKILL')
  const waiting = [...DAMAGES]
  const wrong: string[] = []
  const tryAll = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const copy = path.join(folder, next.what)
      cpSync(whole, copy, { recursive: true })
      next.damage(copy)
      const { isRefused, said, service: started } = await ServiceUnderStorm.attempt({ dataDir: copy })
      await started.stop('SIGKILL')
      if (!isRefused || said.includes('    at ')) wrong.push(next.what)
      rmSync(copy, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, tryAll))
  const again = await ServiceUnderStorm.start({ dataDir: whole })
  afterwards(() => again.stop('SIGKILL'))
  const tally = await countConversations(again, sent.acknowledged)
  const remark = wrong.length === 0 ? {} : { remark: `not refused: ${wrong.join(', ')}` }
  return addTally(tally, { ...calm(), of: DAMAGES.length, wrong: wrong.length, ...remark })
}

function emptyLog(dataDir: string): void {
  const log = path.join(dataDir, 'database/pg_wal')
  for (const name of readdirSync(log).filter((each) => /^[0-9A-F]{24}$/.test(each))) {
    if (existsSync(path.join(log, name))) truncateSync(path.join(log, name))
  }
}
