import type { ReactNode } from 'react'
import classes from './settings.module.css'

/** What a step proved itself with, or what is in its way. */
export function Proof({ isRight, children }: { isRight: boolean; children: ReactNode }) {
  return (
    <p className={classes.proof} data-right={isRight || undefined} role="status">
      <span aria-hidden>{isRight ? '●' : '✕'}</span> {children}
    </p>
  )
}
