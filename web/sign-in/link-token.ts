import { redirect } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { fetched } from '../data/code.ts'
import { loadWords } from '../words/words.ts'

const NAME = 'token'

/** The token of the link that was opened: it stands behind `#`, which no browser sends, and is taken out of the address. */
export function useLinkToken(): string | undefined {
  const [token, setToken] = useState(tokenInAddress)
  useEffect(() => {
    const take = () => {
      const opened = tokenInAddress()
      if (opened === undefined) return
      setToken(opened)
      // Neither the history nor the person who looks at the screen keeps it.
      history.replaceState(history.state, '', location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}

/** Makes the page of a link ready; one of before, which has the token in its path or query, leads to where it stands now. */
export async function openLink(page: '/setup' | '/invitation', token: unknown): Promise<void> {
  if (typeof token === 'string' && token !== '')
    throw redirect({ href: `${page}#${new URLSearchParams({ [NAME]: token })}`, replace: true })
  await fetched(() => loadWords('sign-in'))
}

function tokenInAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get(NAME) || undefined
}
