import { Fragment } from 'react'
import { plain } from '../words/formats.ts'
import classes from './messages.module.css'
import { textPieces } from './text-pieces.ts'

/** What somebody wrote, as text. A link to the web shows its host first, so that nobody is led elsewhere than it looks. */
export function MessageText({ text }: { text: string }) {
  return (
    <p className={classes.text}>
      {textPieces(text).map((piece, at) =>
        typeof piece === 'string' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text stay where they are
          <Fragment key={at}>{plain(piece)}</Fragment>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text stay where they are
          <a key={at} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
            <strong>{piece.host}</strong>
            {plain(piece.rest)}
          </a>
        ),
      )}
    </p>
  )
}
