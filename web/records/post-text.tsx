import { Fragment, type ReactNode } from 'react'
import { phone } from '../words/formats.ts'
import { noteWords } from '../words/note-words.ts'
import { useProviderErrors } from '../words/provider-errors.ts'
import { messageWords, useWords } from '../words/words.ts'
import { PostLink } from './post-link.tsx'

/**
 * What a note says: paragraphs, line ends and links to the web are drawn, everything else is its text. The document it is
 * read in is not shown, and runs and loads nothing.
 */
export function PostText({ html }: { html: string }) {
  const say = useWords('records')
  const errorOf = useProviderErrors()
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const words = (text: string) => noteWords(text, { say, errorOf, numberOf: phone }) ?? messageWords(text)
  return <>{[...body.childNodes].map((node, at) => drawn(node, at, words))}</>
}

function drawn(node: ChildNode, at: number, words: (text: string) => string): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return <Fragment key={at}>{words(node.textContent ?? '')}</Fragment>
  if (!(node instanceof HTMLElement)) return null
  const inside = [...node.childNodes].map((child, nth) => drawn(child, nth, words))
  switch (node.tagName) {
    case 'P':
      return <p key={at}>{inside}</p>
    case 'BR':
      return <br key={at} />
    case 'A':
      return <PostLink key={at} address={node.getAttribute('href') ?? ''} text={node.textContent} />
    case 'SCRIPT':
    case 'STYLE':
      return null
    default:
      return <Fragment key={at}>{inside}</Fragment>
  }
}
