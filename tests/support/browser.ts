import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's; the package that drives it brings none of its own. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file))

/** Why there is no browser, for a test that is skipped then; with `CI=true` there has to be one. */
export function whyNoBrowser(): string | undefined {
  if (CHROMIUM !== undefined) return undefined
  if (process.env.CI === 'true') throw new Error('CI needs Chromium: apt-get install chromium')
  return 'chromium is not installed'
}

/** A browser without a window that asks nobody but this machine; close it when done. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
