import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import classes from './copyable.module.css'

const ICON = { size: 12, strokeWidth: 1.75, 'aria-hidden': true } as const
const SHOWN_MS = 1_500

/** An id, shortened, that is copied whole. */
export function Copyable({ text, label, shown = text }: { text: string; label: string; shown?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    })
  }
  return (
    <button type="button" className={classes.copyable} onClick={copy} title={text}>
      <span className="sr-only">{label} </span>
      <span className="mono">{shown}</span> {isCopied ? <Check {...ICON} /> : <Copy {...ICON} />}
    </button>
  )
}
