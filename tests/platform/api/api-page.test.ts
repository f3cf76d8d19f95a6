import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, whyNoBrowser } from '../../support/browser.ts'
import { TestApp } from '../../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

it('a browser shows every operation of the API, what it takes and what it answers', async ({ skip }) => {
  const reason = whyNoBrowser()
  skip(reason !== undefined, reason)
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${app.url}/api/docs`)
    const form = page.locator('details', { hasText: 'POST /telco/webhook/number' })
    await form.waitFor()
    expect(await page.locator('#list').textContent()).not.toContain('Loading')
    const { paths } = (await app.request('/api/openapi.json')).body as { paths: Record<string, object> }
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods))
    expect(await page.locator('details').count()).toBe(operations.length)

    await form.locator('summary').click()
    await form.locator('pre').first().waitFor()
    expect(await form.textContent()).toMatch(/x-www-form-urlencoded[\s\S]*CallSid[\s\S]*text\/xml/)

    await page.fill('#filter', '/api/me')
    await page.locator('details').filter({ hasText: 'GET /api/me' }).waitFor()
    expect(await page.locator('details').count()).toBe(1)

    await page.selectOption('#schema', 'res.partner.create')
    expect(await page.locator('#fields').textContent()).toContain('"phone"')
    expect(problems).toEqual([])
  } finally {
    await browser.close()
  }
})

it('a document that cannot be read is named on the page', async ({ skip }) => {
  const reason = whyNoBrowser()
  skip(reason !== undefined, reason)
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.route('**/api/openapi.json', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto(`${app.url}/api/docs`)
    await page.locator('#list', { hasText: 'cannot be shown' }).waitFor()
    expect(await page.locator('#list').textContent()).toContain('503')
  } finally {
    await browser.close()
  }
})
