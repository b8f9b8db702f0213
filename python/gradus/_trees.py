"""Looking at the trees of a fitted model."""

from __future__ import annotations

import operator


class Trees:
    """What estimators do with the trees that their models keep."""

    def tree(self, index=0, *, format="dict"):
        """One tree of a model that keeps trees: a tree, a forest, boosted trees, bagged trees.

        Parameters
        ----------
        index : int, default=0
            Which tree, counted from 0; negative numbers count from the last. (The command and the
            steps of `explain` call the first one tree 1.)
        format : {"dict", "text", "svg"}, default="dict"
            The nodes as nested dicts, as lines of text, or drawn as an SVG picture.

        Returns
        -------
        dict or str
        """
        self._require_fitted()
        forms = {"dict": self._model.tree, "text": self._model.tree_text, "svg": self._model.tree_svg}
        if format not in forms:
            raise ValueError(f"format must be one of {', '.join(forms)} (got {format!r})")
        count = self._model.trees()
        place = operator.index(index)
        if count and not -count <= place < count:
            raise IndexError(
                f"index must be from {-count} to {count - 1}: the model keeps {count} "
                f"tree{'' if count == 1 else 's'} (got {place})"
            )
        return forms[format](place + count if place < 0 else place)
