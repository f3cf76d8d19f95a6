import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { setupToken } from '../../src/platform/identity/session-routes.ts'
import { eventually, type TestApp } from '../support/test-app.ts'

/** A browser takes its time on a busy machine. */
export const BROWSER_MS = 480_000
export const PASSWORD = 'correct horse battery'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SERIOUS = ['serious', 'critical']
/** Painted before what came is shown, and what it needs is asked for. */
const FRAMES = 4
/** What a page needs before it is shown. A stream of changes never ends, nor does a sound that nobody plays. */
const NEEDED = ['fetch', 'xhr', 'script', 'stylesheet']

/** What the router leaves in the window for tools. */
interface Routed {
  __TSR_ROUTER__: { state: { status: string }; navigate(to: { href: string }): Promise<void> }
}

interface Look {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  language?: 'en' | 'de'
  hasTouch?: boolean
  /** Whether the browser is to save data: no page is fetched ahead then, which is most of what a document costs. */
  savesData?: boolean
}

/** What the browser says of itself where its person saves data; run in the page. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
}

/** Controls whose words are cut off without a sign; run in the page. */
function cutWords(): string[] {
  const isCut = (element: Element) => {
    const { overflowX, textOverflow } = getComputedStyle(element)
    const isHidden = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis'
    // What is for the ears alone has no room.
    return isHidden && element.clientWidth > 2 && element.scrollWidth > element.clientWidth + 1
  }
  return [...document.querySelectorAll('button, a[href]')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((each) => [each, ...each.querySelectorAll('*')].some(isCut))
    .map((each) => `cut: ${each.textContent}`)
}

/** Controls beyond the edge of the window, which nobody can scroll to; run in the page. */
function beyondEdge(): string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  return [...document.querySelectorAll('button, a[href], input, textarea')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((each) => {
      const { left, right, width } = each.getBoundingClientRect()
      return width > 1 && (left < -1 || right > window.innerWidth + 1) && !scrolls(each.parentElement)
    })
    .map((each) => `beyond the edge: ${each.getAttribute('aria-label') ?? each.textContent}`)
}

/** More than one title, more than one current entry, and a current entry out of sight; run in the page. */
function wrongMarks(): string[] {
  const titles = document.querySelectorAll('h1').length
  const currents = [...document.querySelectorAll('nav')].map((nav) => [...nav.querySelectorAll('[aria-current]')])
  const unseen = currents.flat().filter((each) => {
    const { left, right, width } = each.getBoundingClientRect()
    return width > 1 && (left < -1 || right > window.innerWidth + 1)
  })
  return [
    ...(titles > 1 ? ['more than one title'] : []),
    ...currents.filter(({ length }) => length > 1).map((each) => `all current: ${each.map((one) => one.textContent)}`),
    ...unseen.map((each) => `current, and out of sight: ${each.textContent}`),
  ]
}

/** Somebody with a browser, in which everything is noted that must not be: errors, and what the policy blocked. */
export class Visitor {
  readonly page: Page
  readonly faults: string[] = []
  readonly #context: BrowserContext
  readonly #url: string
  readonly #requests = new Set<Request>()

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context
    this.page = page
    this.#url = url
    // Far above what a page takes: a busy machine must not turn into a failure.
    page.setDefaultTimeout(100_000)
    page.on('console', (message) => {
      // What the service refuses is a sentence on the page; the browser calls it an error of its own as well.
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isAnswer) this.faults.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      if (request.isNavigationRequest()) this.#requests.clear()
      if (NEEDED.includes(request.resourceType())) this.#requests.add(request)
    })
    page.on('requestfinished', (request) => this.#requests.delete(request))
    page.on('requestfailed', (request) => this.#requests.delete(request))
    page.on('pageerror', (error) => this.faults.push(`error: ${error.message}`))
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
  }

  static async open(browser: Browser, url: string, look: Look = {}): Promise<Visitor> {
    const {
      width = 1280,
      height = 800,
      colorScheme = 'light',
      language = 'en',
      hasTouch = false,
      savesData = true,
    } = look
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      hasTouch,
      locale: language === 'de' ? 'de-CH' : 'en-GB',
      timezoneId: 'Europe/Zurich',
      reducedMotion: 'reduce',
    })
    if (savesData) await context.addInitScript(saveData)
    return new Visitor(context, await context.newPage(), url)
  }

  /** Opens an address as a new document. */
  async go(address: string): Promise<void> {
    await this.page.goto(this.#url + address, { waitUntil: 'domcontentloaded' })
  }

  /** Goes on to an address within the document, as a link does, and waits until it is shown: a fifth of what a document costs. */
  async visit(address: string): Promise<void> {
    // Before the first page is drawn the router is idle as well, and goes there afterwards.
    await this.page.waitForFunction(
      () =>
        (window as Partial<Routed>).__TSR_ROUTER__?.state.status === 'idle' && document.querySelector('h1') !== null,
    )
    await this.page.evaluate((href) => (window as unknown as Routed).__TSR_ROUTER__.navigate({ href }), address)
    await this.#isStill()
  }

  /** With a session of their own; the form of it is for the stories that are about it. */
  async signIn(login: string, next = '/now'): Promise<void> {
    const headers = { origin: this.#url }
    const data = { login, password: PASSWORD }
    const answer = await this.#context.request.post(`${this.#url}/api/sign-in`, { headers, data })
    if (!answer.ok()) throw new Error(`${login}: ${await answer.text()}`)
    await this.go(next)
    await this.page.waitForURL((url) => url.pathname === next)
  }

  /** Waits until nothing is asked for, and what has been painted since asks for nothing more. */
  async #isStill(): Promise<void> {
    const asked = () => [...this.#requests].map((request) => request.url())
    let isStill = false
    while (!isStill) {
      await expect.poll(asked, { message: 'still asked for' }).toEqual([])
      await this.page.evaluate(async (frames) => {
        for (let frame = 0; frame < frames; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
      }, FRAMES)
      isStill = this.#requests.size === 0
    }
  }

  /** What axe finds that keeps somebody from using the page. */
  async barriers(): Promise<string[]> {
    // It stays as long as the document does, and costs as much as a look with it.
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(AXE)
    return this.page.evaluate(async (serious) => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      interface Violation {
        id: string
        impact: string
        nodes: { target: string[]; failureSummary?: string }[]
      }
      // Preloading copies style sheets out of shadow trees, without the nonce that lets them in.
      const { violations } = await axe.run({ preload: false, resultTypes: ['violations'] })
      return violations
        .filter(({ impact }) => serious.includes(impact))
        .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`))
    }, SERIOUS)
  }

  /** What a look at the page would find: words that are cut, what is beyond its edge, two marks where one belongs. */
  async misdrawn(): Promise<string[]> {
    const found = [cutWords, beyondEdge, wrongMarks].map((look) => this.page.evaluate(look))
    const isTooWide = await this.isTooWide()
    return [...(await Promise.all(found)).flat(), ...(isTooWide ? ['wider than its window'] : [])]
  }

  /** Whether the page is wider than its window. */
  async isTooWide(): Promise<boolean> {
    return this.page.evaluate(() => {
      const main = document.querySelector('main') ?? document.body
      return main.scrollWidth > main.clientWidth + 1 || document.body.scrollWidth > window.innerWidth + 1
    })
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}

/** Creates the first administrator, who is in every group of people. */
export async function firstAdministrator(app: TestApp, login: string): Promise<void> {
  const answer = await app.post('/api/setup', {
    token: setupToken(app.app),
    name: 'Ada Keller',
    login,
    password: PASSWORD,
  })
  if (answer.status !== 200) throw new Error(answer.text)
}

/** Waits until the page has been built. */
export function pageIsBuilt(app: TestApp): Promise<true> {
  return eventually(async () => {
    const { status } = await app.request('/sign-in', { headers: { accept: 'text/html' } })
    return status === 200 ? true : undefined
  }, BROWSER_MS)
}
