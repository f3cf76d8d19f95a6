import { plain } from '../words/formats.ts'
import { programWords } from '../words/program-words.ts'
import { useToolWords } from '../words/tool-words.ts'
import classes from './replay.module.css'

/** A webhook in words, and its path small below: only administrators read this. */
export function WebhookName({ route, tool }: { route: string | null; tool: string | null }) {
  const tools = useToolWords()
  return (
    <span className={classes.webhook}>
      <span>{plain(tool === null ? programWords(route ?? '') : tools(tool))}</span>
      <span className={`mono ${classes.path}`}>{plain(route ?? '')}</span>
    </span>
  )
}
