import { Button, Textarea } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callByName } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { formats, useWords } from '../words/words.ts'
import { PostText } from './post-text.tsx'
import classes from './records.module.css'

interface Post {
  id: number
  body: string | null
  author: string | null
  date: string
}

const POSTS_MAX = 100

function postsQuery(model: string, id: number) {
  return queryOptions({
    queryKey: [model, 'posts', id],
    queryFn: async () => (await callByName(model, 'message_list', { ids: [id], limit: POSTS_MAX })) as Post[],
  })
}

/** The notes on a record, newest first, and a box for another one. */
export function Chatter({ model, id }: { model: string; id: number }) {
  const say = useWords('records')
  const queries = useQueryClient()
  const { data: posts = [], isPending } = useQuery(postsQuery(model, id))
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const post = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      await callByName(model, 'message_post', { ids: [id], body: text })
      setText('')
      setProblem('')
      await queries.invalidateQueries({ queryKey: [model, 'posts', id] })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <section className={classes.chatter} aria-label={say('chatter')}>
      <h2>{say('chatter')}</h2>
      <form onSubmit={(event) => void post(event)}>
        <Textarea
          aria-label={say('note')}
          placeholder={say('note')}
          autosize
          minRows={2}
          maxRows={10}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={problem || undefined}
        />
        <Button type="submit" variant="default" mt={8} disabled={text.trim() === ''}>
          {say('post')}
        </Button>
      </form>
      {posts.length === 0 && !isPending ? <p className="dim">{say('noNotes')}</p> : null}
      {posts.map(({ id: post_, author, date, body }) => (
        <article key={post_} className={classes.post}>
          <p className={classes.meta}>
            {author ?? say('service')} · <time dateTime={formats.exact(date)}>{formats.time(date)}</time>
          </p>
          <PostText html={body ?? ''} />
        </article>
      ))}
    </section>
  )
}
