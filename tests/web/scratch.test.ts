import { afterAll, beforeAll, expect, it } from 'vitest'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser } from '../support/browser.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

let world: TestWorld
beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  for (const name of (process.env.SCN ?? 'agent-helpdesk,missed-call,personal-voicemail,sms,whatsapp').split(',')) {
    const scenario = SCENARIOS.find((each) => each.name === name)
    if (scenario) await runScenario(scenario, world)
  }
  await pageIsBuilt(world.app)
}, BROWSER_MS)
afterAll(() => world.stop())

it('shows', async () => {
  await using browser = await openBrowser()
  const results: string[] = []
  const ROUTES = [
    '/now',
    '/calls',
    '/calls/1',
    '/calls/1?tab=transcript',
    '/calls/1?tab=about',
    '/tickets',
    '/tickets?as=list',
    '/tickets/1',
    '/contacts',
    '/contacts/3',
    '/messages',
    '/deliveries',
    '/deliveries?open=5',
    '/settings',
    '/me',
    '/records',
    '/records/connect.voiceai_agent',
    '/records/connect.voiceai_agent/1',
    '/records/res.partner/new',
    '/nowhere',
  ]
  const only = process.env.ONLY?.split(' ') ?? ROUTES
  for (const look of [
    { width: 1280, colorScheme: 'light' },
    { width: 375, colorScheme: 'dark' },
  ] as const) {
    const visitor = await Visitor.open(browser, world.app.url, look)
    await visitor.go('/sign-in')
    await visitor.page.waitForTimeout(800)
    results.push(...(await visitor.barriers()).map((b) => `sign-in ${b}`))
    await visitor.page.screenshot({ path: `/tmp/shots/sign-in-${look.width}.png` })
    await visitor.signIn('ada')
    for (const route of only) {
      await visitor.go(route)
      await visitor.page.waitForTimeout(1200)
      await visitor.page.screenshot({ path: `/tmp/shots/${route.replaceAll(/\W+/g, '_')}-${look.width}.png` })
      results.push(...(await visitor.barriers()).map((b) => `${look.width} ${route} ${b}`))
      if (await visitor.isTooWide()) results.push(`${look.width} ${route} too wide`)
    }
    results.push(...visitor.faults)
    await visitor.close()
  }
  console.log(results.join('\n'))
  expect(true).toBe(true)
}, 400_000)
