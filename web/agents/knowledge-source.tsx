import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { sentenceOf } from '../data/errors.ts'
import { Button } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { sendFile } from '../files/send-file.ts'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './knowledge.module.css'

/** As the service has it. */
const TEXT_CHARS_MAX = 300_000
export const PAGES = { default: 50, max: 10_000 }
const FILE_TYPES = '.pdf,.docx,.txt,.md,.html,.epub'

export type Kind = 'text' | 'file' | 'page' | 'site'

/** What is typed. */
export interface Draft {
  kind: Kind
  name: string
  text: string
  url: string
  pages: number
  file: { id: number; name: string } | undefined
  isAlways: boolean
}

interface Fields {
  draft: Draft
  change: (values: Partial<Draft>) => void
  errorOf: (field: string) => string | undefined
}

/** What a piece of knowledge is made of: a text, a file, or an address. */
export function SourceFields({ draft, change, errorOf }: Fields) {
  const say = useWords('knowledge')
  const { kind, text, url, pages } = draft
  if (kind === 'file') return <FileField draft={draft} change={change} errorOf={errorOf} />
  if (kind === 'text') {
    return (
      <Textarea
        label={say('text')}
        autosize
        minRows={6}
        maxRows={16}
        maxLength={TEXT_CHARS_MAX}
        data-autofocus
        value={text}
        error={errorOf('text')}
        onChange={({ currentTarget: { value } }) => change({ text: value })}
      />
    )
  }
  return (
    <>
      <TextInput
        inputMode="url"
        label={say('url')}
        description={say('urlSays')}
        placeholder="www.example.com"
        data-autofocus
        value={url}
        error={errorOf('url')}
        onChange={({ currentTarget: { value } }) => change({ url: value })}
      />
      {kind === 'site' ? (
        <NumberInput
          label={say('pagesMax')}
          description={say('pagesSays')}
          min={1}
          max={PAGES.max}
          value={pages}
          error={errorOf('pages_max')}
          onChange={(value) => change({ pages: Number(value) })}
        />
      ) : null}
    </>
  )
}

/** One file, sent as soon as it is chosen. */
function FileField({ draft: { file }, change, errorOf }: Fields) {
  const say = useWords('knowledge')
  const input = useRef<HTMLInputElement>(null)
  const [part, setPart] = useState<number>()
  const [problem, setProblem] = useProblem('')
  const take = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return
    setProblem('')
    change({ file: undefined })
    try {
      const sent = await sendFile(chosen, setPart).done
      change({ file: { id: sent.id, name: sent.name } })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setPart(undefined)
  }
  const refused = problem || errorOf('file')
  return (
    <div>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => input.current?.click()}>
          {say('chooseFile')}
        </Button>
        <span role="status">{part === undefined ? plain(file?.name ?? '') : formats.share(part)}</span>
      </div>
      <p className="dim">{say('fileSays')}</p>
      {refused ? (
        <p role="alert" className={classes.problem}>
          {refused}
        </p>
      ) : null}
      <input
        ref={input}
        type="file"
        accept={FILE_TYPES}
        hidden
        aria-label={say('file')}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
