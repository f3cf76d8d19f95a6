// The pictures that the documents show: few and small, made anew by `npm run pictures -- --chosen`.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../support/source-files.ts'

const FOLDER = path.join(root, 'docs/pictures')
const QUALITY = 82
/** A reader on a telephone loads them too. */
const BYTES_MAX = 150_000

const CHOSEN: readonly string[] = [
  'now-1280-light-full',
  'call-1280-light-full',
  'calls-1280-dark-full',
  'tickets-1280-light-full',
  'conversation-1280-light-full',
  'call-375-light-full',
  'calls-375-dark-full',
]

/** The places, widths and themes of which some picture is chosen. */
export function isChosen(name: string, suffix: string): boolean {
  return CHOSEN.includes(`${name}-${suffix}`)
}

/** Writes what is shown as WebP, which only the browser's own protocol makes. */
export async function takeChosen(page: Page, name: string, suffix: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > BYTES_MAX) throw new Error(`${name}-${suffix} has ${bytes.length} bytes`)
  writeFileSync(path.join(FOLDER, `${name}-${suffix.replace('-full', '')}.webp`), bytes)
}
