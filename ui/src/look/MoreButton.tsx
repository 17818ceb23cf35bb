// What shows the next page of a list, as long as there is one.
import { t } from "../words/words";
import { Button } from "./Button";

type Props = {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  className?: string | undefined;
};

export function MoreButton({ list, className }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Button className={className} busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {t("look.more")}
    </Button>
  );
}
