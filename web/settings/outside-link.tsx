import type { ReactNode } from 'react'

/** A page of a provider, opened beside this one. */
export function OutsideLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
