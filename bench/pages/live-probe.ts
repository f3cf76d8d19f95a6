import type { Browser, BrowserContext, Page } from 'playwright-core'
import { HttpConnection } from '../http-client.ts'
import { type Loaded, legSid } from '../route.ts'
import { signedRequest, voiceFields } from '../telco-request.ts'
import type { Company } from './company.ts'
import type { Person } from './company-data.ts'

const PATH = '/telco/webhook/callstatus'
/** Numbers of nobody's begin so; each probe calls from another one. */
const CALLER = '+4179'
const CALLER_DIGITS = 7
/** Legs that no load makes; beside them, so many as milliseconds have passed since 1970. */
const FIRST_SID = 2 ** 50
const PAGE_MAX_MS = 60_000
/** A change comes at any moment of the time in which changes are gathered. */
const PAUSE_MAX_MS = 400

/** One change that a page has shown. */
export interface Seen {
  where: string
  sinceSentMs: number
  /** Since the webhook was answered, which it is after the commit. */
  sinceAnsweredMs: number
}

interface Watched {
  where: string
  page: Page
  /** Of what is watched; its text begins with a number, or there is none. */
  selector: string
}

/** A call that rings and ends, and two pages that show it. */
export class CallProbe {
  readonly #contexts: BrowserContext[] = []
  readonly #connection: HttpConnection
  readonly #loaded: Loaded
  readonly #watched: Watched[] = []
  #next = FIRST_SID + Date.now()
  readonly #caller = `${CALLER}${String(Date.now()).slice(-CALLER_DIGITS)}`

  private constructor(address: string, loaded: Loaded) {
    this.#connection = new HttpConnection(address)
    this.#loaded = loaded
  }

  static async open(browser: Browser, address: string, { people, loaded }: Company): Promise<CallProbe> {
    const [boss] = people
    if (boss === undefined) throw new Error('nobody is there to look')
    const probe = new CallProbe(address, loaded)
    // One such call has to be there, else the page says that nothing fits.
    await probe.#report(probe.#newSid(), 'completed')
    const now = await probe.#look(browser, boss, `${address}/now`)
    const calls = await probe.#look(browser, boss, `${address}/calls?number=${encodeURIComponent(probe.#caller)}`)
    await now.locator('h2[aria-live]').waitFor()
    await calls.locator('[role="row"][data-row="0"]').waitFor()
    probe.#watched.push({ where: 'Now', page: now, selector: 'h2[aria-live]' })
    probe.#watched.push({ where: 'Calls', page: calls, selector: 'main button' })
    return probe
  }

  /** A call that rings is seen on both pages, its end on Now. */
  async ringAndEnd(): Promise<Seen[]> {
    const sid = this.#newSid()
    const rung = await this.#seen(sid, 'ringing', this.#watched)
    const ended = await this.#seen(
      sid,
      'completed',
      this.#watched.filter(({ where }) => where === 'Now'),
    )
    return [...rung, ...ended]
  }

  async close(): Promise<void> {
    this.#connection.close()
    for (const context of this.#contexts) await context.close()
  }

  async #look(browser: Browser, { cookie }: Person, url: string): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    this.#contexts.push(context)
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    page.setDefaultTimeout(PAGE_MAX_MS)
    await page.goto(url)
    return page
  }

  async #seen(sid: string, status: string, watched: readonly Watched[]): Promise<Seen[]> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MAX_MS))
    for (const { page, selector } of watched) await page.evaluate(watch, selector)
    const sentAt = Date.now()
    await this.#report(sid, status)
    const answeredAt = Date.now()
    return Promise.all(
      watched.map(async ({ where, page }) => {
        const shownAt = await page.evaluate(shownAtLast, { where, status, maxMs: PAGE_MAX_MS })
        return { where, sinceSentMs: shownAt - sentAt, sinceAnsweredMs: shownAt - answeredAt }
      }),
    )
  }

  async #report(sid: string, status: string): Promise<void> {
    const isOver = status === 'completed'
    const fields = {
      ...voiceFields(sid, this.#caller, status),
      ...(isOver ? { CallDuration: '1', Duration: '1' } : {}),
      ...{ SequenceNumber: isOver ? '1' : '0', CallbackSource: 'call-progress-events' },
      Timestamp: new Date().toUTCString().replace('GMT', '+0000'),
    }
    const reply = await this.#connection.post(PATH, signedRequest(PATH, fields, this.#loaded))
    if (reply.status !== 200) throw new Error(`a call is not taken down: ${reply.status} ${reply.body}`)
  }

  #newSid(): string {
    this.#next += 1
    return legSid(this.#next)
  }
}

interface WatchingWindow extends Window {
  shownAt?: Promise<number>
}

/** In the page: waits until the number in what is watched is another, or the list was loaded anew; notes when that frame was drawn. */
function watch(selector: string): void {
  const read = () => {
    const texts = [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '')
    const rows = document.querySelector('[aria-rowcount]')?.getAttribute('aria-rowcount') ?? ''
    return `${texts.find((text) => /\d (on the line|new)$/.test(text)) ?? ''} ${rows}`
  }
  const before = read()
  const shown = new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      if (read() === before) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  Object.assign(window, { shownAt: shown })
}

/** In the page: when what was watched had changed; an error when it has not within so many milliseconds. */
function shownAtLast({ where, status, maxMs }: { where: string; status: string; maxMs: number }): Promise<number> {
  const { shownAt } = window as WatchingWindow
  const never = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`${where} does not show that a call is ${status}`)), maxMs)
  })
  return shownAt === undefined ? never : Promise.race([shownAt, never])
}
