import { FileText } from 'lucide-react'
import { formats, useWords } from '../words/words.ts'
import classes from './files.module.css'
import type { Attachment } from './send-file.ts'

/** What a browser draws in a small frame; anything else is a name. */
const PICTURE = /^image\/(?:png|jpe?g|gif|webp)$/

/** The files of a note: pictures small, the others by name and size. */
export function PostFiles({ files }: { files: readonly Attachment[] }) {
  const say = useWords('records')
  if (files.length === 0) return null
  return (
    <ul className={classes.posted} aria-label={say('files')}>
      {files.map(({ id, name, type, bytes, url }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noopener" title={name}>
            {PICTURE.test(type) ? (
              <img src={url} alt={name} loading="lazy" />
            ) : (
              <>
                <FileText size={16} aria-hidden />
                <span className={classes.name}>{name}</span> <span className="dim">{formats.bytes(bytes)}</span>
              </>
            )}
          </a>
        </li>
      ))}
    </ul>
  )
}
