const BUILD_MAX_MS = 120_000
const BUILD_LOOK_EVERY_MS = 500

/** Resolves when the service answers with the page; it is built while webhooks are answered already. */
export async function pageIsBuilt(address: string): Promise<void> {
  const end = performance.now() + BUILD_MAX_MS
  while (performance.now() < end) {
    const { status } = await fetch(`${address}/sign-in`, { headers: { accept: 'text/html' } })
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, BUILD_LOOK_EVERY_MS))
  }
  throw new Error('the page was not built')
}
