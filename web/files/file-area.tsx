import { Paperclip, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ActionIcon, Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import classes from './files.module.css'
import { FILE_MEGABYTES_MAX, FILES_MAX, type Files, type PickedFile } from './use-files.ts'

interface Props {
  files: Files
  /** What is written in: files can be dropped and pasted there. */
  children: ReactNode
  /** What ends the note, beside the button that chooses files. */
  actions: ReactNode
}

/** A note that takes files: chosen, dropped or pasted, with how far each one is. */
export function FileArea({ files, children, actions }: Props) {
  const say = useWords('records')
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (list: FileList | null | undefined): boolean => {
    const chosen = [...(list ?? [])]
    if (chosen.length > 0) files.add(chosen)
    return chosen.length > 0
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for everybody who has no mouse
    <div
      className={classes.area}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (take(event.dataTransfer.files)) event.preventDefault()
      }}
      onPaste={(event) => {
        if (take(event.clipboardData.files)) event.preventDefault()
      }}
    >
      {children}
      {files.files.length === 0 ? null : (
        <ul className={classes.picked} aria-label={say('files')}>
          {files.files.map((file) => (
            <Picked key={file.key} file={file} onRemove={() => files.remove(file.key)} />
          ))}
        </ul>
      )}
      <div className={classes.actions}>
        {actions}
        <Button
          variant="subtle"
          leftSection={<Paperclip size={16} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {say('attach')}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={say('attach')}
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}

function Picked({ file, onRemove }: { file: PickedFile; onRemove: () => void }) {
  const say = useWords('records')
  return (
    <li data-problem={file.problem === undefined ? undefined : true}>
      <span className={classes.name}>{file.name}</span>{' '}
      <span role="status" className="dim">
        {stateOf(file, say)}
      </span>
      <ActionIcon variant="subtle" aria-label={say('takeOff', { name: file.name })} onClick={onRemove}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}

function stateOf(file: PickedFile, say: ReturnType<typeof useWords<'records'>>): string {
  if (file.problem === 'too-large') return say('fileTooLarge', { megabytes: FILE_MEGABYTES_MAX })
  if (file.problem === 'too-many') return say('tooManyFiles', { count: FILES_MAX })
  if (file.problem !== undefined) return file.problem
  if (file.sent !== undefined) return formats.bytes(file.bytes)
  return formats.share(file.part)
}
