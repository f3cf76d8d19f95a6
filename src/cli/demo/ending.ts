import path from 'node:path'
import { setupLink } from '../../app/start-text.ts'
import type { Service } from '../service/run-service.ts'
import type { Output } from '../terminal/output.ts'
import type { Chapter } from './story.ts'

interface Ended extends Service {
  chapters: readonly Chapter[]
  firstTicketSeconds: number | null
  folder: string
  /** Whether the service goes on running, so that people can look around. */
  staysOpen: boolean
}

/** Says what came of everything and where to look; for programs, all of it as one document. */
export async function conclude(ended: Ended, output: Output): Promise<void> {
  const { app, db, address, chapters, firstTicketSeconds, folder, staysOpen } = ended
  // Nobody can follow the link once the service has stopped, so it is not printed then.
  const link = staysOpen ? await setupLink({ platform: app.platform, db, address }) : undefined
  const lookAround = staysOpen ? placesToLook(address, link) : []
  const commands = staysOpen ? commandsToTry(folder, chapters) : []
  const { sentence } = describeEnding(chapters)
  output.done(['', sentence, ...lookAround, ...commands].join('\n'), {
    address,
    folder,
    first_ticket_seconds: firstTicketSeconds,
    ...(link === undefined ? {} : { setup_url: link }),
    scenarios: chapters.map(({ found, ...report }) => ({ ...report, ...found })),
  })
}

export function describeEnding(chapters: readonly Chapter[]): { failed: number; sentence: string } {
  const failed = chapters.filter(({ complaints }) => complaints.length > 0).length
  const count = (kind: keyof Chapter['found']): string =>
    `${kind}s: ${chapters.reduce((sum, { found }) => sum + found[kind].length, 0)}`
  const counts = (['call', 'ticket', 'meeting', 'recording', 'message'] as const).map(count).join(', ')
  const result =
    failed === 0 ? `All ${chapters.length} scenarios went well` : `${failed} of ${chapters.length} scenarios failed`
  return { failed, sentence: `${result}. ${counts}.` }
}

function placesToLook(address: string, link: string | undefined): string[] {
  const signIn = link === undefined ? address : `${link} (creates the first administrator, works once)`
  return ['', `Sign in:      ${signIn}`, `API:          ${address}/api/docs`]
}

function commandsToTry(folder: string, chapters: readonly Chapter[]): string[] {
  const command = `DATA_DIR=${path.relative('', folder) || '.'} bin/connect`
  const [call] = chapters.flatMap(({ found }) => found.call)
  return [
    `Command line: ${command} call list`,
    ...(call === undefined ? [] : [`              ${command} call timeline ${call.id}`]),
    'Ctrl-C ends the demo.',
  ]
}
