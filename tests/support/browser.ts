import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's; the package that drives it brings none of its own. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file))
/**
 * The same engine without the windows of a browser around it: a page costs two thirds there, and the first page of a visitor a
 * third.
 */
const SHELL = ['/usr/bin/chromium-headless-shell'].find((file) => existsSync(file)) ?? CHROMIUM

/** Why there is no browser, for a test that is skipped then; with `CI=true` there has to be one. */
export function whyNoBrowser(): string | undefined {
  if (SHELL !== undefined) return undefined
  if (process.env.CI === 'true') throw new Error('CI needs Chromium: apt-get install chromium')
  return 'chromium is not installed'
}

/**
 * A browser without a window that asks nobody but this machine; close it when done. `isWhole` is the one that people have;
 * `hasMicrophone`: one that beeps.
 */
export function openBrowser({
  isWhole = false,
  hasMicrophone = false,
}: {
  isWhole?: boolean
  hasMicrophone?: boolean
} = {}): Promise<Browser> {
  const executablePath = isWhole ? CHROMIUM : SHELL
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(hasMicrophone ? ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] : []),
    ],
  })
}
