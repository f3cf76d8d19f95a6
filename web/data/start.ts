/** What the start document says before anything is asked. */
interface StartFacts {
  /** Whether somebody can sign in yet. */
  isSetUp: boolean
  /** Which build this is. */
  build: string
}

/** Whether the browser has the cookie of somebody's session, which may be over. */
export function isVisitorKnown(): boolean {
  return document.body.dataset.visitor === 'known'
}

/** The nonce with which styles that libraries write are let in. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

export function startFacts(): StartFacts {
  const written = document.querySelector<HTMLMetaElement>('meta[name="connect"]')?.content ?? ''
  try {
    return { isSetUp: true, build: '', ...(JSON.parse(written) as Partial<StartFacts>) }
  } catch {
    // Served by something else than the service, as while it is developed.
    return { isSetUp: true, build: '' }
  }
}
